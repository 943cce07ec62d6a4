/** Version of the software that runs, as package.json names it. Called by status, by the news of an update, and by backups. */
import { readFileSync } from 'node:fs'
import { once } from '../../kernel/flow/once.ts'

const PACKAGE = new URL('../../package.json', import.meta.url)

/** Cached: an update that is installed while home runs is not running yet. */
export const softwareVersion = once((): string => {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string }
  return version
})
