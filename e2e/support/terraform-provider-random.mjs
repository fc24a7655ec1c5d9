#!/usr/bin/env node
// Serves our provider of random values under the name of the one that Terraform projects have: `random_pet` and others.
import { serveTerraform } from '@cairn/provider-terraform/plugin';
import { randomProvider } from '../../packages/providers/random/dist/definition.js';

await serveTerraform({ ...randomProvider, name: 'random' });
