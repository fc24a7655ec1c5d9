#!/usr/bin/env node
import { main } from '../dist/plugin.js';

await main();
