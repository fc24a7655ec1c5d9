#!/usr/bin/env node
import { main } from '@cairn/provider-sdk/plugin';
import { localProvider } from '../dist/definition.js';

await main(localProvider);
