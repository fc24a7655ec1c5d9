/** Another URN that a resource may have had. */
export type AliasRequest =
  | { readonly kind: 'urn'; readonly urn: string }
  | {
      readonly kind: 'spec';
      /** Empty texts mean the same as the resource itself. */
      readonly name: string;
      readonly type: string;
      readonly stack: string;
      readonly project: string;
      readonly parent:
        | { readonly kind: 'same' }
        | { readonly kind: 'none' }
        | { readonly kind: 'urn'; readonly urn: string };
    };
