// Loaded by the state benchmark into the processes that it measures: prints their peak memory.
process.on('exit', () => process.stderr.write(`peak ${process.resourceUsage().maxRSS} kB\n`));
