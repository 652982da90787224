BEGIN { FS=","; system("ls") }
/a\/b/ { print > "out.txt"; getline x < "y" }
