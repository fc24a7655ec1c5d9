/** New projects and policy packs from templates. */
export type { TemplateAnswers } from './templates/answers.js';
export { chooseTemplate } from './templates/choose-template.js';
export { firstStack, projectFromTemplate } from './templates/new-project.js';
export type { FirstStack } from './templates/new-project.js';
export { POLICY_PACKS, PROJECTS } from './templates/template-file.js';
export type { Template } from './templates/template-file.js';
export { findTemplates, installedTemplates } from './templates/template-source.js';
export { writeTemplate } from './templates/write-template.js';
