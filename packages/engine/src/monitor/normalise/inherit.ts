import { optionalUrn } from '../refusal.js';
import type { Pass } from './draft.js';

/** protect, retainOnDelete and deletedWith come from the parent when they are not set [REG-9]. */
export const inherit: Pass = ({ request, parent }) => ({
  goal: {
    protect: request.protect ?? parent?.protect ?? false,
    retainOnDelete: request.retainOnDelete ?? parent?.retainOnDelete ?? false,
    deletedWith: optionalUrn(request.deletedWith, 'deletedWith') ?? parent?.deletedWith,
  },
});
