/**
 * Separate process that prints the SHA-256 of a keychain entry, which proves that the entry exists outside the writer's
 * memory. Must not print the entry. Argument: id of the entry. Started by keychain.ts.
 */
import { createHash } from 'node:crypto'
import { openKeychainEntry } from './keychain.ts'

const entry = await openKeychainEntry(process.argv[2] ?? '')
const bytes = entry.ok ? await entry.value.get().catch(() => null) : null
if (bytes === null) process.exit(1)
process.stdout.write(createHash('sha256').update(bytes).digest('hex'))
