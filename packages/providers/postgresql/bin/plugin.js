#!/usr/bin/env node
import { main } from '@cairn/provider-sdk/plugin';
import { postgresqlProvider } from '../dist/definition.js';

await main(postgresqlProvider);
