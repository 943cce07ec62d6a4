/**
 * Texts for connecting Google, and the one harmless call that checks the owner's credential (L-12, L-18). Must not store the
 * response. Called by the manifests and tools of Gmail and Calendar.
 */
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ConnectSpec, Tool } from '../../kernel/tool/manifest.ts'
import { checkStatus } from './remote.ts'

export const GOOGLE_CONNECT: ConnectSpec = Object.freeze({
  title: 'Google',
  called: ['gmail', 'google mail', 'google calendar', 'google kalender', 'g-mail', 'googlemail'],
  covers: [
    'mail',
    'mails',
    'email',
    'e-mail',
    'inbox',
    'postfach',
    'calendar',
    'kalender',
    'contacts',
    'kontakte',
  ],
  where:
    'Make an OAuth client in the Google Cloud console, let it read Gmail, Calendar and contacts, and give me the JSON of the authorized user, with its refresh_token. An access token (ya29.…) works for an hour.',
  shape: 'ya29\\.[\\w.-]{16,2048}|\\{[\\s\\S]{0,4096}"refresh_token"[\\s\\S]{0,4096}\\}',
})

/** Reads data that every account has. `path` is on the tool's own host. */
export function googleCheck(base: string, path: string): NonNullable<Tool['check']> {
  return async ({ credential, http }): Promise<Result<string | null>> => {
    const headers = { accept: 'application/json', authorization: `Bearer ${credential.value}` }
    const answer = await http.request({ method: 'GET', url: new URL(path, base).href, headers })
    if (!answer.ok) return answer
    const status = checkStatus(answer.value)
    return status.ok ? ok(accountIn(answer.value.body)) : status
  }
}

/** The account, which only Gmail reports. Null for a value that is no address. */
function accountIn(body: string): string | null {
  return /"emailAddress"\s*:\s*"([^\s"<>@]{1,64}@[a-z0-9.-]{1,255})"/i.exec(body)?.[1] ?? null
}
