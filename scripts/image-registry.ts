/**
 * Looks up the digest of a container image in its registry, without an account (OCI distribution API). Stores no token,
 * sends one only to its own registry, and accepts a digest only if it is the hash of the manifest. Called by
 * pin-images.ts.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { readBytes } from '../integrations/http/body.ts'

export interface ImageReference {
  /** Reference as written, with registry, repository and tag, without the digest. */
  readonly name: string
  /** Base URL of the distribution API, without a trailing slash. */
  readonly api: string
  readonly repository: string
  /** Null if only a digest is given, which cannot move. */
  readonly tag: string | null
  readonly digest: string | null
}

export interface Failure {
  readonly ok: false
  /** `unreachable`: no response at all. */
  readonly reason: 'unreachable' | 'refused'
  readonly says: string
}

export type Asked<T> = { readonly ok: true; readonly value: T } | Failure

/** Registry and folder that Docker lets one omit, and the host of its API. */
const DOCKER = { registry: 'docker.io', host: 'registry-1.docker.io', folder: 'library' }

/** Most bytes of a manifest or token: what the specification requires a registry to accept. More would fill memory. */
const MAX_BODY = 4 * 1024 * 1024
/** Milliseconds per request: a network that drops packets must not block the command for longer. */
const LONGEST = 20_000
/** Most redirects of one request; stops a loop. */
const MAX_REDIRECTS = 3

const DIGEST_HEADER = 'docker-content-digest'
const DIGEST = /^sha256:[0-9a-f]{64}$/
const REFERENCE =
  /^(?<name>(?:(?<host>(?=[^/]*[.:]|localhost\/)[a-z0-9]+(?:(?:\.|-+)[a-z0-9]+)*(?::\d{1,5})?)\/)?(?<path>[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*)(?::(?<tag>\w[\w.-]{0,127}))?)(?:@(?<digest>sha256:[0-9a-f]{64}))?$/

const INDEXES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
]
const MANIFESTS = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]
const ACCEPT = [...INDEXES, ...MANIFESTS].join(', ')

const manifest = z.object({ schemaVersion: z.literal(2) })
/** Characters that a header allows, and a maximum length. */
const token = z.string().check(z.regex(/^[\x21-\x7e]{1,16384}$/))
const tokenAnswer = z.object({ token: z.optional(token), access_token: z.optional(token) })

/**
 * Null if the text names no image, or contains a variable. Without a tag and a digest the tag is `latest`, as for
 * container engines.
 */
export function parseReference(text: string): ImageReference | null {
  const { name, host = DOCKER.registry, path, tag, digest = null } = REFERENCE.exec(text)?.groups ?? {}
  if (name === undefined || path === undefined) return null
  const isDocker = host === DOCKER.registry
  return {
    name: tag === undefined && digest === null ? `${name}:latest` : name,
    api: `${isLoopback(host) ? 'http' : 'https'}://${isDocker ? DOCKER.host : host}/v2`,
    repository: isDocker && !path.includes('/') ? `${DOCKER.folder}/${path}` : path,
    tag: tag ?? (digest === null ? 'latest' : null),
    digest,
  }
}

/** A registry on this machine has no certificate; container engines make the same exception. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.0\.0\.1)(?::|$)/.test(host)
}

/** Present digest of the tag, verified against its manifest. */
export async function askDigest(image: ImageReference): Promise<Asked<string>> {
  const found = await findDigest(image)
  if (found.ok || found.reason === 'unreachable') return found
  return err(`${image.name}: ${new URL(image.api).host} ${found.says}`)
}

async function findDigest({ api, repository, tag, digest }: ImageReference): Promise<Asked<string>> {
  const registry: Registry = { api, repository, token: null }
  const head = await askManifest(registry, 'HEAD', tag ?? digest ?? '')
  if (!head.ok) return head
  const named = head.value.headers.get(DIGEST_HEADER)
  if (named !== null && !DIGEST.test(named)) return err('names a digest that is not one of SHA-256')
  const whole = await askManifest(registry, 'GET', named ?? tag ?? digest ?? '')
  if (!whole.ok) return whole
  const { headers, bytes } = whole.value
  if (!z.safeParse(manifest, decoded(bytes)).success) return err('answered with what is no manifest')
  const hash = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  const claims = [named, headers.get(DIGEST_HEADER), tag === null ? digest : null]
  return claims.every((claim) => claim === null || claim === hash)
    ? { ok: true, value: hash }
    : err('names a digest that is not the hash of its manifest')
}

interface Registry {
  readonly api: string
  readonly repository: string
  /** Valid for this registry only; null until it requires one. */
  token: string | null
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

function err(says: string): Failure {
  return { ok: false, reason: 'refused', says }
}

async function askManifest(registry: Registry, method: 'HEAD' | 'GET', what: string): Promise<Asked<Answer>> {
  const url = new URL(`${registry.api}/${registry.repository}/manifests/${what}`)
  let answer = await follow(registry, method, url)
  if (answer.ok && answer.value.status === 401 && registry.token === null) {
    const token = await askToken(registry, answer.value.headers.get('www-authenticate') ?? '')
    if (!token.ok) return token
    registry.token = token.value
    answer = await follow(registry, method, url)
  }
  return !answer.ok || answer.value.status === 200 ? answer : err(`answered ${answer.value.status}`)
}

/** A registry may redirect to another host, which does not get the token. */
async function follow({ token }: Registry, method: 'HEAD' | 'GET', first: URL): Promise<Asked<Answer>> {
  let url = first
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const isOwn = token !== null && url.origin === first.origin
    const answer = await request(url, method, isOwn ? { authorization: `Bearer ${token}` } : {})
    if (!answer.ok || answer.value.status < 300 || answer.value.status > 399) return answer
    const next = checkUrl(answer.value.headers.get('location') ?? '', url)
    if (!next.ok) return next
    url = next.value
  }
  return err('redirects without an end')
}

async function request(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<Asked<Answer>> {
  try {
    const answer = await fetch(url, {
      method,
      headers: { accept: ACCEPT, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(LONGEST),
    })
    const bytes = await readBytes(answer.body ?? Readable.from([]), MAX_BODY)
    if (!bytes.ok) return err('answered with more than a manifest may have')
    return { ok: true, value: { status: answer.status, headers: answer.headers, bytes: bytes.value } }
  } catch {
    return { ok: false, reason: 'unreachable', says: `${url.host} cannot be reached` }
  }
}

/**
 * Validates a URL from a response. Plain http is allowed on this machine only, because a token could be intercepted.
 */
function checkUrl(text: string, base?: URL): Asked<URL> {
  const url = URL.parse(text, base?.href)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.host))
  return url !== null && isSafe ? { ok: true, value: url } : err('names an address that is not HTTPS')
}

/** Requests read access to this repository, whatever scope the registry proposes. */
async function askToken({ repository }: Registry, challenge: string): Promise<Asked<string>> {
  const bearer = /(?:^|,)\s*Bearer\s+(.*)$/i.exec(challenge)?.[1]
  if (bearer === undefined) return err('wants an account')
  const field = (name: string) => new RegExp(`(?:^|[,\\s])${name}="([^"]*)"`, 'i').exec(bearer)?.[1]
  const url = checkUrl(field('realm') ?? '')
  if (!url.ok) return url
  const service = field('service')
  if (service !== undefined) url.value.searchParams.set('service', service)
  url.value.searchParams.set('scope', `repository:${repository}:pull`)
  const answer = await request(url.value, 'GET', { accept: 'application/json' })
  if (!answer.ok) return answer
  if (answer.value.status !== 200) return err(`gives no token without an account (${answer.value.status})`)
  const parsed = z.safeParse(tokenAnswer, decoded(answer.value.bytes))
  const token = parsed.success ? (parsed.data.token ?? parsed.data.access_token) : undefined
  return token === undefined ? err('gives no token that can be read') : { ok: true, value: token }
}

function decoded(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return null
  }
}
