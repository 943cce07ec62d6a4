/**
 * What a service's package declares so that its owner can sign in with a browser (RFC 8252). Types only. Implemented beside the tools;
 * read by home's command line.
 */
export interface OAuthService {
  /** Name of the credential in manifests. */
  readonly service: string
  readonly title: string
  /** As the service names itself in its answer (RFC 9207). */
  readonly issuer: string
  readonly authorize: string
  readonly token: string
  /** Endpoint that ends a permission (RFC 7009). */
  readonly revoke: string
  /** Further parameters of the first request. */
  readonly params: Readonly<Record<string, string>>
  readonly scopes: readonly OAuthScope[]
  /** A harmless read that says whose account it is. */
  readonly account: { readonly base: string; readonly path: string; readonly field: string }
  /** Page on which the owner sees and ends what was allowed. */
  readonly consents: string
}

export interface OAuthScope {
  readonly scope: string
  /** What it allows: names a sentence of home's words, after the service's name. */
  readonly means: string
  /** Name of the tool that needs it. */
  readonly tool: string
}
