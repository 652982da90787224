const {execSync} = require('child_process')
execSync(`rm -rf ${x}`)
fetch('https://github.com/x')
// 'x
