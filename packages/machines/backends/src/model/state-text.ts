/** Export document in parts. `features` is the exact text of the list, `deployment` that of the body. */
export interface StateText {
  readonly version: number;
  readonly features: string | undefined;
  readonly deployment: string;
}
