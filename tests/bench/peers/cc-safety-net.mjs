// Times cc-safety-net's check on the records of bench-guard.c: FILE ROUNDS.
// SPDX-License-Identifier: GPL-3.0-or-later
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [file, rounds] = [process.argv[2], Number(process.argv[3])];
// From the working folder: the packages don't lie beside this file.
const api = process.cwd() + "/node_modules/cc-safety-net/dist/api.js";
const { checkCommand } = await import(pathToFileURL(api).href);
const words = readFileSync(file, "utf8").split("\0");
const records = [];
for (let i = 0; i + 1 < words.length; i += 2) records.push({ cwd: words[i], command: words[i + 1] });
const samples = records.map(() => []);
for (let round = 0; round < rounds; round++)
  records.forEach((record, i) => {
    const began = process.hrtime.bigint();
    try {
      checkCommand(record);
    } catch {
      // what it can't read it still took time for
    }
    samples[i].push(Number(process.hrtime.bigint() - began) / 1000);
  });
for (const of of samples) {
  of.sort((a, b) => a - b);
  console.log(of[rounds >> 1].toFixed(3));
}
