#!/usr/bin/env node
import { main } from '../dist/plugin/main.js';

await main();
