/**
 * How the owner gets an app password of Bluesky: pages and boxes, by their names there (L-12; written from Bluesky's public documentation, not checked
 * against its pages), and how handle and password are read. Must not send either. Called by manifest.ts and session.ts.
 */
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'

/** A handle, a mail address or a DID; then an app password. The password of the account itself is never taken: it may do everything. */
const IDENTIFIER = '@?[A-Za-z0-9][A-Za-z0-9._%+:@-]{2,252}'
const APP_PASSWORD = '[a-z0-9]{4}(?:-[a-z0-9]{4}){3}'

const LOGIN = new RegExp(`^(${IDENTIFIER}):(${APP_PASSWORD})$`)

export interface Login {
  readonly identifier: string
  readonly password: string
}

/** Null for anything else, the password of an account included. */
export function loginIn(value: string): Login | null {
  const [, identifier = '', password = ''] = LOGIN.exec(value.trim()) ?? []
  return password === '' ? null : { identifier: identifier.replace(/^@/, ''), password }
}

export const BLUESKY_CONNECT: ConnectSpec = Object.freeze({
  title: 'Bluesky',
  where:
    'Make an app password at https://bsky.app/settings/app-passwords and give me your handle, a colon and that password, such as alice.bsky.social:abcd-efgh-ijkl-mnop. Never give me the password of your account.',
  shape: `${IDENTIFIER}:${APP_PASSWORD}`,
  steps: [
    '1. https://bsky.app/settings/app-passwords, signed in: "Add App Password".',
    '2. Any name, such as "pfar". Leave "Allow access to your direct messages" off: I do not read them.',
    '3. "Create App Password". Four groups of four characters are shown, once: copy them.',
    '4. Paste your handle, a colon and that password here, without a space: alice.bsky.social:abcd-efgh-ijkl-mnop',
    'It can read and post, and neither change your account nor delete it. The same page takes it back at any time.',
    'An account on a server of its own: name the server first, as `[services.bluesky] base_url` in config.toml.',
  ],
  says: 'what is new on bluesky?',
})
