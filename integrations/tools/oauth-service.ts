/**
 * What a service's package declares so that its owner can sign in with a browser (RFC 8252). Types only. Implemented beside the tools;
 * read by home's command line and by its custody of secrets.
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
  /** It ends a permission for its client alone, as RFC 7009 has it; false: for whoever has the token. */
  readonly revokesForClient: boolean
  /** Where the browser comes back to, for a service that wants its client to name that exactly; null: this machine, at any port. */
  readonly redirect: string | null
  /** Its accounts stand in a table of the settings. */
  readonly hasTable: boolean
  /** Further parameters of the first request. */
  readonly params: Readonly<Record<string, string>>
  readonly scopes: readonly OAuthScope[]
  /** A harmless read that says whose account it is; has to, where accounts stand in a table. */
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

/**
 * A service that renews a short-lived token by a refresh token (RFC 6749 §6), each of which is used once. Its owner has the first one from a page of the
 * service, so that nobody signs in.
 */
export interface RotatingService {
  /** Name of the credential in manifests. */
  readonly service: string
  /** Endpoint that renews, and its path where the owner names another address of the service. */
  readonly token: string
  readonly path: string
  /** Client ID, client secret and refresh token in one line: the groups `id`, `secret` and `refresh`. */
  readonly typed: RegExp
}
