#!/usr/bin/env node
import { main } from '@cairn/provider-sdk/plugin';
import { randomProvider } from '../dist/definition.js';

await main(randomProvider);
