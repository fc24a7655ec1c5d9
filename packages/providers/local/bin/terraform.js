#!/usr/bin/env node
import { serveTerraform } from '@cairn/provider-terraform/plugin';
import { localProvider } from '../dist/definition.js';

await serveTerraform(localProvider);
