/**
 * HTTP client for an account whose credential the tool may not see: adds the credential to the header of requests to one origin,
 * and follows no redirect, so that it never leaves that origin. Must not put it anywhere else. Called by port.ts.
 */
import { err } from '../../kernel/flow/verdict.ts'
import type { AddedHeader, ScopedHttp } from '../../kernel/tool/manifest.ts'
import { isRedirect } from '../http/redirect.ts'
import { createScopedHttp, type ScopedHttpOptions } from '../http/scoped-client.ts'
import type { Transport } from '../http/transport.ts'

export function createKeyedClient(
  options: ScopedHttpOptions,
  added: AddedHeader & { readonly value: string },
): ScopedHttp {
  return createScopedHttp({
    ...options,
    transport: adding(options.transport, added),
  })
}

function adding(
  transport: Transport,
  { origin, header, scheme, value }: AddedHeader & { readonly value: string },
): Transport {
  const written = scheme === null ? value : `${scheme} ${scheme === 'Basic' ? base64(value) : value}`
  return {
    async send(request) {
      // Only this one origin is allowed, whatever hosts the credential's scope has.
      if (request.url.origin !== origin) return err('host_not_allowed')
      // Removes a header of that name that the tool set; it would be sent in addition.
      const others = Object.entries(request.headers).filter(
        ([name]) => name.toLowerCase() !== header.toLowerCase(),
      )
      const headers = { ...Object.fromEntries(others), [header]: written }
      const sent = await transport.send({ ...request, headers })
      return sent.ok && isRedirect(sent.value.status) ? err('redirect_refused', { rule: 'key' }) : sent
    },
  }
}

function base64(value: string): string {
  return btoa(Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join(''))
}
