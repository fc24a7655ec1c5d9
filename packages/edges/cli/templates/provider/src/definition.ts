import { defineProvider, s } from '@cairn/provider-sdk';
import { note } from './note.js';

export const definition = defineProvider({
  name: '__NAME__',
  version: '0.1.0',
  config: { folder: s.string().default('notes').describe('Where the notes are; counts from the program.') },
  resources: { 'index:Note': note },
});
