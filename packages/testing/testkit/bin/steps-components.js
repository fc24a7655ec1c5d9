#!/usr/bin/env node
import { main } from '../dist/language/components-main.js';

await main();
