/**
 * Shapes of keys and tokens, as data: the fixed prefixes that their issuers use. Adapted from the rules of gitleaks
 * (github.com/gitleaks/gitleaks, MIT License, Copyright (c) 2019 Zachary Rice). Must not hold logic. Called by secrets.ts, for
 * answers and for pasted text (E-18, L-17).
 */

export interface TokenShape {
  /** Name for people: `a GitHub token`. */
  readonly name: string
  /** Pattern source of the fixed beginning. */
  readonly begins: string
  /** Characters of the rest, in the syntax of a character class. */
  readonly body: string
  /** Number of characters of the rest: the minimum, and the usual number. */
  readonly least: number
  readonly usual: number
  /** True if the beginning is rare enough for any rest to match; otherwise the rest must look random. */
  readonly rare: boolean
}

const BASE62 = 'A-Za-z0-9'
const URL_SAFE = 'A-Za-z0-9_-'

const shape = (name: string, begins: string, rest: Omit<TokenShape, 'name' | 'begins'>): TokenShape => ({
  name,
  begins,
  ...rest,
})

export const TOKEN_SHAPES: readonly TokenShape[] = Object.freeze([
  shape('a GitHub token', 'gh[pousr]_', { body: BASE62, least: 16, usual: 36, rare: true }),
  shape('a GitHub token', 'github_pat_', { body: 'A-Za-z0-9_', least: 20, usual: 82, rare: true }),
  shape('a GitLab token', 'glpat-', { body: URL_SAFE, least: 16, usual: 20, rare: true }),
  shape('a Slack token', 'xox[abeprs]-', { body: 'A-Za-z0-9-', least: 12, usual: 72, rare: true }),
  shape('a Slack token', 'xapp-', { body: 'A-Za-z0-9-', least: 16, usual: 90, rare: true }),
  shape('a Notion token', 'ntn_', { body: BASE62, least: 16, usual: 46, rare: true }),
  shape('a Notion token', 'secret_', { body: BASE62, least: 32, usual: 43, rare: false }),
  shape('an API key', 'sk-(?:ant-|proj-|or-|svcacct-|admin-)?', {
    ...{ body: URL_SAFE, least: 16, usual: 160, rare: false },
  }),
  shape('a payment key', '(?:sk|rk|pk)_(?:live|test)_', { body: BASE62, least: 12, usual: 99, rare: true }),
  shape('an AWS key', '(?:AKIA|ASIA|ABIA|ACCA)', { body: 'A-Z0-9', least: 16, usual: 16, rare: true }),
  shape('a Google key', 'AIza', { body: URL_SAFE, least: 30, usual: 35, rare: true }),
  shape('a Google token', 'ya29\\.', { body: URL_SAFE, least: 20, usual: 200, rare: true }),
  shape('a Google key', 'GOCSPX-', { body: URL_SAFE, least: 16, usual: 28, rare: true }),
  shape('an npm token', 'npm_', { body: BASE62, least: 30, usual: 36, rare: true }),
  shape('a Hugging Face token', 'hf_', { body: BASE62, least: 30, usual: 34, rare: false }),
  shape('a PyPI token', 'pypi-', { body: URL_SAFE, least: 50, usual: 180, rare: true }),
  shape('a Shopify token', 'shp(?:at|ca|pa|ss)_', { body: 'a-fA-F0-9', least: 24, usual: 32, rare: true }),
  shape('a DigitalOcean token', 'do[opr]_v1_', { body: 'a-f0-9', least: 32, usual: 64, rare: true }),
  shape('a Linear key', 'lin_api_', { body: BASE62, least: 30, usual: 40, rare: true }),
  shape('a Vault token', 'hv[sb]\\.', { body: URL_SAFE, least: 24, usual: 120, rare: true }),
  shape('a mail service’s key', 'SG\\.', { body: 'A-Za-z0-9_.-', least: 50, usual: 66, rare: true }),
  shape('an age key', 'AGE-SECRET-KEY-1', { body: 'A-Z0-9', least: 40, usual: 58, rare: true }),
  shape('a bot token', '[0-9]{8,10}:', { body: URL_SAFE, least: 30, usual: 35, rare: false }),
  shape('a signed token', 'eyJ[A-Za-z0-9_-]{8,2000}\\.eyJ', {
    ...{ body: 'A-Za-z0-9_.-', least: 8, usual: 2_000, rare: true },
  }),
])

/** A private key in PEM, from its first to its last line. */
export const PEM_BEGINS = /-----BEGIN ?[A-Z0-9 ]{0,40}PRIVATE ?KEY(?: ?BLOCK)?-----/
export const PEM_ENDS = /-----END ?[A-Z0-9 ]{0,40}PRIVATE ?KEY(?: ?BLOCK)?-----/
/** A password in an address: `https://name:password@host`. */
export const URL_PASSWORD = /(?<=[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@]{0,100}:)[^\s/@]{3,200}(?=@)/gi
