/** Environment variable, with its value, by which a provider knows that a host of this protocol started it [TFP-1]. */
export const COOKIE = {
  name: 'TF_PLUGIN_MAGIC_COOKIE',
  value: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
} as const;
