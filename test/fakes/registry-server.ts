/**
 * A registry of container images over real HTTP, as the OCI distribution specification and Docker's token flow have it: manifests
 * by tag and by digest. Strict: a manifest is given to nobody without the token, where one is asked for. Scripted are its
 * refusals, its lies and where it keeps manifests. Must not know anything of PFAR.
 */

import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { serve } from '../kit/server.ts'

export interface RegistryScript {
  /** What it answers to who has no token; absent: it asks for none. */
  readonly challenge?: (url: string) => string
  /** Of the token's address. */
  readonly token?: unknown
  /** Where a manifest is, when it is not here. */
  readonly redirect?: (path: string) => string
  /** Of every manifest, instead of its digest; null: none is named. */
  readonly digest?: string | null
  /** Instead of each manifest. */
  readonly body?: string
  /** Of a request for a manifest. */
  readonly status?: number
}

export interface FakeRegistry {
  /** Host and port, as a reference names them. */
  readonly host: string
  readonly url: string
  /** Method, path and credential of each request, in order. */
  readonly asked: string[]
  /** By repository and tag. */
  readonly tags: Map<string, string>
  script: RegistryScript
  close(): Promise<void>
}

export const TOKEN = 'a-token-of-the-registry'

export const digestOf = (body: string): string => `sha256:${createHash('sha256').update(body).digest('hex')}`

/** An index of one platform; `n` tells one from another. */
export const indexOf = (n: number): string =>
  JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      { mediaType: 'application/vnd.oci.image.manifest.v1+json', digest: digestOf(`${n}`), size: n },
    ],
  })

export async function startRegistry(): Promise<FakeRegistry> {
  const asked: string[] = []
  const tags = new Map<string, string>()
  const { origin, port, close } = await serve((request, response) => {
    const { script, url } = registry
    const path = request.url ?? ''
    asked.push([request.method, path, request.headers.authorization].filter(Boolean).join(' '))
    const send = (status: number, headers: Record<string, string>, body: string): void =>
      void response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
    if (path.startsWith('/token?')) return send(200, {}, JSON.stringify(script.token ?? { token: TOKEN }))
    const body = script.body ?? manifestOf(request, tags)
    if (script.challenge !== undefined && request.headers.authorization !== `Bearer ${TOKEN}`)
      return send(401, { 'www-authenticate': script.challenge(url) }, '{}')
    if (script.redirect !== undefined) return send(307, { location: script.redirect(path) }, '')
    if (script.status !== undefined) return send(script.status, {}, '{}')
    if (body === undefined) return send(404, {}, '{}')
    const digest = script.digest === undefined ? digestOf(body) : script.digest
    send(200, digest === null ? {} : { 'docker-content-digest': digest }, body)
  })
  const registry: FakeRegistry = {
    ...{ host: `127.0.0.1:${port}`, url: origin, asked, tags, script: {}, close },
  }
  return registry
}

/** Only to who takes an index: a registry gives others the manifest of one platform, which has another digest. */
function manifestOf(request: IncomingMessage, tags: ReadonlyMap<string, string>): string | undefined {
  const [, repository = '', what = ''] = /^\/v2\/(.+)\/manifests\/([^/]+)$/.exec(request.url ?? '') ?? []
  if (!(request.headers.accept ?? '').includes('application/vnd.oci.image.index.v1+json')) return undefined
  const ofRepository = [...tags].filter(([name]) => name.startsWith(`${repository}:`))
  return ofRepository.find(([name, body]) => name === `${repository}:${what}` || digestOf(body) === what)?.[1]
}
