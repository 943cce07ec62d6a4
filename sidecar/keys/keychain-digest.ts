/**
 * A process of its own that prints the SHA-256 of a keychain entry, so that who wrote it can see that it has left the
 * memory of the writer. Must not print the entry. Argument: the entry's id. Started by keychain.ts.
 */
import { createHash } from 'node:crypto'
import { openKeychainEntry } from './keychain-entry.ts'

const entry = await openKeychainEntry(process.argv[2] ?? '')
const bytes = entry.ok ? await entry.value.get().catch(() => null) : null
if (bytes === null) process.exit(1)
process.stdout.write(createHash('sha256').update(bytes).digest('hex'))
