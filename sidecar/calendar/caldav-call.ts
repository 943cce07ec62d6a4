/** What one call at a CalDAV account works with. Types and names; must not send. Called by caldav.ts and caldav-write.ts. */
import type { ToolCall } from '../../kernel/tool/manifest.ts'
import type { CaldavSettings, ReadingPowers } from './calendar-settings.ts'
import type { Server } from './dav.ts'

/** One account during one call. */
export interface At {
  readonly call: ToolCall
  readonly server: Server
  readonly settings: CaldavSettings
  readonly powers: ReadingPowers
  /** Addresses of the owner, in lower case. */
  readonly own: readonly string[]
}

export function calendarId({ name }: CaldavSettings, path: string): string {
  return `${name}:${path}`
}
