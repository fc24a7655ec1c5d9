// Loaded by the state benchmark into the processes that it measures: tells the most memory that they held.
process.on('exit', () => process.stderr.write(`peak ${process.resourceUsage().maxRSS} kB\n`));
