/** Names of registered hooks by phase. */
export interface HookBinding {
  readonly beforeCreate: readonly string[];
  readonly afterCreate: readonly string[];
  readonly beforeUpdate: readonly string[];
  readonly afterUpdate: readonly string[];
  readonly beforeDelete: readonly string[];
  readonly afterDelete: readonly string[];
  readonly onError: readonly string[];
}
