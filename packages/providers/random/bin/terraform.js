#!/usr/bin/env node
import { serveTerraform } from '@cairn/provider-terraform/plugin';
import { randomProvider } from '../dist/definition.js';

await serveTerraform(randomProvider);
