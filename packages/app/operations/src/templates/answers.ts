import type { RuntimeOptionPrompt } from '@cairn/wire';
import type { Template, TemplateSetting } from './template-file.js';

/** Answers to what templates and languages ask of a new project. Where a member is absent, its default is taken. */
export interface TemplateAnswers {
  /** One of several templates; undefined: none of them. Absent: several templates are an error. */
  readonly template?: ((templates: readonly Template[]) => Promise<Template | undefined>) | undefined;
  /** Text of a setting of the stack, empty for its default; undefined: no answer. */
  readonly setting?: ((setting: TemplateSetting) => Promise<string | undefined>) | undefined;
  /** Value or label of an option of the language, empty for its default; undefined: no answer. */
  readonly runtimeOption?: ((prompt: RuntimeOptionPrompt) => Promise<string | undefined>) | undefined;
}
