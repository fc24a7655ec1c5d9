#!/usr/bin/env node
import { serveTerraform } from '@cairn/provider-terraform/plugin';
import { postgresqlProvider } from '../dist/definition.js';

await serveTerraform(postgresqlProvider);
