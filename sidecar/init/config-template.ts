/** The commented `config.toml` of a new state folder. Must not change an existing one. Called by `npm start` and `pfar init`. */
import { readFileSync } from 'node:fs'

const TEMPLATE = new URL('config.default.toml', import.meta.url)

/** The template with this machine's time zone. */
export function defaultConfig(): string {
  return readFileSync(TEMPLATE, 'utf8').replace('{{timezone}}', machineTimezone())
}

export function machineTimezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
