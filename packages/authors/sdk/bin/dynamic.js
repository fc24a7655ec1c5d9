#!/usr/bin/env node
await import('../dist/dynamic/plugin.js');
