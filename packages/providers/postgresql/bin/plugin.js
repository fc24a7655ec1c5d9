#!/usr/bin/env node
import { main } from '@cairn/provider-sdk/plugin';
import { definition } from '../dist/definition.js';

await main(definition);
