/**
 * An OAuth server and a service at the same address, as emulators have it: endpoints under /oauth2/, everything else goes to the
 * service. Must not judge a token request; the test reads it. Called by tests of signing in with a browser.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Events, OAuth2Server } from 'oauth2-mock-server'
import { serve } from './server.ts'

export interface SigningIn {
  readonly oauth: OAuth2Server
  readonly origin: string
  /** Bodies of the token requests (`exchanged`) and of the revocation requests (`revoked`). */
  readonly exchanged: URLSearchParams[]
  readonly revoked: URLSearchParams[]
  /** Sets further fields of the next token response, besides the access token; null removes a field. */
  granting(more: Readonly<Record<string, unknown>>): void
  close(): Promise<void>
}

const TOKENS = '/oauth2/token'
const REVOKE = '/oauth2/revoke'

export async function serveSigningIn(
  service: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<SigningIn> {
  const oauth = new OAuth2Server(undefined, undefined, {
    endpoints: { authorize: '/oauth2/authorize', token: TOKENS, revoke: REVOKE },
  })
  await oauth.issuer.keys.generate('RS256')
  await oauth.start(0, '127.0.0.1')
  const { port } = oauth.address()
  const exchanged: URLSearchParams[] = []
  const revoked: URLSearchParams[] = []
  const front = await serve(async (request, response, body) => {
    if (request.url?.startsWith('/oauth2/') !== true) return service(request, response)
    if (request.url === TOKENS) exchanged.push(new URLSearchParams(body))
    if (request.url === REVOKE) revoked.push(new URLSearchParams(body))
    const { host: _host, 'content-length': _length, ...headers } = request.headers
    const answer = await fetch(`http://127.0.0.1:${port}${request.url}`, {
      method: request.method ?? 'GET',
      redirect: 'manual',
      headers: headers as Record<string, string>,
      ...(body !== '' && { body }),
    })
    const location = answer.headers.get('location')
    return response
      .writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
        ...(location !== null && { location }),
      })
      .end(await answer.text())
  })
  oauth.issuer.url = front.origin
  return {
    ...{ oauth, origin: front.origin, exchanged, revoked },
    granting(more) {
      oauth.service.once(Events.BeforeResponse, ({ body }) => {
        Object.assign(body as object, more)
        for (const [name, value] of Object.entries(more))
          if (value === null) Reflect.deleteProperty(body as object, name)
      })
    },
    async close() {
      await front.close()
      await oauth.stop()
    },
  }
}
