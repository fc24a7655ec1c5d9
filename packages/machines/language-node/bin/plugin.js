#!/usr/bin/env node
import { serveNodeLanguage } from '../dist/plugin.js';

await serveNodeLanguage();
