/** The emulator of Gmail and Google Calendar on a free port. Ends with the file that started it. */

import { afterAll } from 'vitest'
import { openGoogle } from '../fakes/google-emulator.ts'

export { OWNER } from '../fakes/google-emulator.ts'

export async function startGoogle(seed: Readonly<Record<string, unknown>>): Promise<string> {
  const google = await openGoogle(seed)
  afterAll(() => google.close())
  return google.origin
}
