/**
 * What a service's package declares so that its owner can sign in with a browser (RFC 8252). Types only. Implemented beside the tools;
 * read by home's command line and by its custody of secrets.
 */
export interface OAuthService {
  /** Name of the credential in manifests. */
  readonly service: string
  readonly title: string
  /** As in the service's answers (RFC 9207). */
  readonly issuer: string
  readonly authorize: string
  readonly token: string
  /** Endpoint that revokes a permission (RFC 7009). */
  readonly revoke: string
  /** True: revocation affects only this client, as in RFC 7009; false: everybody who has the token. */
  readonly revokesForClient: boolean
  /** Redirect URI, for a service that requires its client to register it exactly; null: this machine, any port. */
  readonly redirect: string | null
  /** Its accounts have a table in the settings. */
  readonly hasTable: boolean
  /** Further parameters of the first request. */
  readonly params: Readonly<Record<string, string>>
  readonly scopes: readonly OAuthScope[]
  /** A harmless read that returns the account's name; required if accounts have a table in the settings. */
  readonly account: { readonly base: string; readonly path: string; readonly field: string }
  /** Page on which the owner can see and revoke what was allowed. */
  readonly consents: string
}

export interface OAuthScope {
  readonly scope: string
  /** What the scope allows: key of a sentence in home's words, after the service's name. */
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
