/** A JSON value. Objects made by this package have no prototype if their keys are the user's. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}
