/** Google scripted on loopback that keeps the tokens it was shown, and can echo words or refuse. For the secrets' tests. */

import { serve } from '../../kit/server.ts'
import { google } from './google.ts'

export interface LoopbackGoogle {
  readonly origin: string
  /** Values of `authorization`, in order. */
  tokens(): readonly string[]
  /** From now on every subject and text ends with these words. */
  echo(words: string): void
  /** From now on this refresh token is exchanged for this access token. */
  permit(refreshToken: string, accessToken: string): void
  /** From now on every request is answered by 401. */
  refuse(): void
  close(): Promise<void>
}

/** `port`: of one that was closed; any free one if left out. */
export async function loopbackGoogle(port = 0): Promise<LoopbackGoogle> {
  const tokens: string[] = []
  let echoed = ''
  let refusing = false
  let permitted: { readonly refreshToken: string; readonly accessToken: string } | null = null
  const exchanged = (form: string): { readonly body: string } | null => {
    const fits = new URLSearchParams(form).get('refresh_token') === permitted?.refreshToken
    if (permitted === null || !fits) return null
    return {
      body: JSON.stringify({ access_token: permitted.accessToken, token_type: 'Bearer', expires_in: 3600 }),
    }
  }
  const { origin, close } = await serve((request, response, body) => {
    tokens.push(request.headers.authorization ?? '')
    const answer = refusing
      ? null
      : request.url === '/oauth2/token'
        ? exchanged(body)
        : google(request.url ?? '', body)
    response.statusCode = refusing ? 401 : answer === null ? 404 : 200
    response.setHeader('content-type', 'application/json')
    response.end(
      (answer !== null && 'body' in answer ? answer.body : '{}').replaceAll(
        'Boat trip',
        `Boat trip ${echoed}`,
      ),
    )
  }, port)
  return {
    origin,
    close,
    tokens: () => tokens,
    echo: (words) => {
      echoed = words
    },
    permit: (refreshToken, accessToken) => {
      permitted = { refreshToken, accessToken }
    },
    refuse: () => {
      refusing = true
    },
  }
}
