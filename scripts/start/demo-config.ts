/**
 * Writes the owner's configuration with the demo workspace added to a separate file, so that the owner's file stays
 * unchanged. Must not override anything the owner set. Called by bring-up.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parse, stringify, type TomlTable } from 'smol-toml'
import { VAULT_SCHEME } from '../../sidecar/secrets/secret.ts'
import { DEMO_ACCOUNT, DEMO_CONTACTS } from '../demo/people.ts'
import type { DemoPlace } from './demo.ts'

/** Name of the secret with the demo account's token. */
export const DEMO_SECRET = 'demo-google'

/** Writes the merged file. The owner's file was validated before, so it parses. */
export function writeDemoConfig(owner: string, target: string, demo: DemoPlace): void {
  const merged = withDemo(parse(readFileSync(owner, 'utf8')), demo)
  writeFileSync(target, stringify(merged), { mode: 0o600 })
}

/** The same while PFAR runs. An owner's file that cannot be read at that moment leaves the merged file as it was. */
export function renewDemoConfig(owner: string, target: string, demo: DemoPlace): void {
  try {
    writeDemoConfig(owner, target, demo)
  } catch {
    // Home starts with what it had; its status says that the owner's file cannot be used.
  }
}

/** Adds the demo account, its contacts and the two loopback origins. */
export function withDemo(config: TomlTable, { google, pages }: DemoPlace): TomlTable {
  const contacts = Array.isArray(config['contacts']) ? config['contacts'] : []
  const network = tableOf(config['network'])
  const exempt = Array.isArray(network['exempt_origins']) ? network['exempt_origins'] : []
  return {
    ...config,
    contacts: [...contacts, ...DEMO_CONTACTS.map((contact) => ({ ...contact }))],
    tools: { ...tableOf(config['tools']), google: accountAt(google) },
    network: { ...network, exempt_origins: [...exempt, google, pages] },
  }
}

function accountAt(google: string): TomlTable {
  return { base_url: google, account: DEMO_ACCOUNT, demo: true, credential: `${VAULT_SCHEME}${DEMO_SECRET}` }
}

function tableOf(value: unknown): TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as TomlTable) : {}
}
