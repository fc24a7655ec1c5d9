#!/usr/bin/env node
import { serveTerraform } from '@cairn/provider-terraform/plugin';
import { definition } from '../dist/definition.js';

await serveTerraform(definition);
