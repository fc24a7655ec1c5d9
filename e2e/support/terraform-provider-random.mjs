#!/usr/bin/env node
// Serves our provider of random values under the name of the one that Terraform projects have: `random_pet` and others.
import { main } from '@cairn/provider-terraform/plugin';
import { definition } from '../../packages/providers/random/dist/definition.js';

await main({ ...definition, name: 'random' });
