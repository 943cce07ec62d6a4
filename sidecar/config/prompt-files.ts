/**
 * The owner's additions to the system document: `prompts/SYSTEM.md` in the state folder, or the two files of the older
 * layout (P-04). Read at the start and by `pfar reload`; never written or deleted. Must not judge their content: the
 * document's builder does. Called by powers.ts.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { DocumentCache } from '../../kernel/prompt/document/cache.ts'
import { noticeWords } from '../../kernel/prompt/document/notice-words.ts'
import { NO_FILES, type OwnersFiles } from '../../kernel/prompt/document/override.ts'
import { MAX_DOCUMENT } from '../../kernel/prompt/document/parse.ts'
import type { SystemDocument } from '../../kernel/prompt/document/section.ts'

export interface PromptFiles {
  /** First the document with the owner's additions, then the one without. */
  readonly documents: readonly DocumentCache[]
  /** Reads the files again. `notices` say what could not be used. */
  reload(): Reloaded
}

export interface Reloaded {
  readonly changed: boolean
  /** Estimated tokens of the document for an answer to the owner. */
  readonly tokens: number
  readonly notices: readonly string[]
}

/** `folder`: absolute path of the state folder. */
export function openPromptFiles(folder: string, bundled: SystemDocument): PromptFiles {
  const own = new DocumentCache({ bundled, files: readFiles(folder) })
  const plain = new DocumentCache({ bundled, files: NO_FILES })
  return {
    documents: [own, plain],
    reload() {
      const { changed } = own.reload({ bundled, files: readFiles(folder) })
      const role = {
        role: 'synthesize',
        audience: 'owner',
        needs: ['act'],
        variables: {},
        principal: '',
      } as const
      const { tokens, notices } = own.get(role)
      return { changed, tokens, notices: notices.map(noticeWords) }
    },
  }
}

function readFiles(folder: string): OwnersFiles {
  const read = (name: string): string | null => readText(join(folder, 'prompts', name))
  return { system: read('SYSTEM.md'), identity: read('IDENTITY.md'), soul: read('SOUL.md') }
}

/**
 * Bytes: more than the longest document in the widest script, so that a document that is too long is still recognised
 * as such.
 */
const MOST_BYTES = MAX_DOCUMENT * 4

/** Null if the file does not exist or cannot be read. */
function readText(path: string): string | null {
  let file: number | null = null
  try {
    file = openSync(path, 'r')
    const bytes = Buffer.alloc(MOST_BYTES)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, MOST_BYTES, 0))
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}
