#!/usr/bin/env node
import { main } from '@cairn/provider-terraform/plugin';
import { definition } from '../dist/definition.js';

await main(definition);
