/** A copy of this tree in a folder of its own, with the same packages installed: for tests that change sources. */
import { cpSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Not part of the tree: history, what is installed, and state. */
const LEFT_OUT = ['.git', 'node_modules', '.wrangler', '.pfar']

/** Its path; whoever asks for it removes it. */
export function copyTree(): string {
  const root = mkdtempSync(join(tmpdir(), 'pfar-tree-'))
  for (const entry of readdirSync(ROOT).filter((name) => !LEFT_OUT.includes(name)))
    cpSync(join(ROOT, entry), join(root, entry), { recursive: true, verbatimSymlinks: true })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}
