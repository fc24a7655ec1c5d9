import { defineProvider, s } from '@cairn/provider-sdk';
import { note } from './note.js';

export const definition = defineProvider({
  name: '__NAME__',
  version: '0.1.0',
  config: { folder: s.string().default('notes').describe('Folder of the notes, relative to the program.') },
  resources: { 'index:Note': note },
});
