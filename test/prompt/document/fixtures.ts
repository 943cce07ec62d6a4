/** The bundled document as it ships, and one small enough to read in a test. */
import { readFileSync } from 'node:fs'
import {
  type BuiltDocument,
  buildDocument,
  type DocumentRequest,
} from '../../../kernel/prompt/document/document.ts'
import {
  NO_FILES,
  type OwnersFiles,
  parseDocument,
  type SystemDocument,
} from '../../../kernel/prompt/document/parse.ts'

export function promptText(name: string): string {
  return readFileSync(new URL(`../../../templates/prompts/${name}.md`, import.meta.url), 'utf8').trim()
}

export function parsed(text: string): SystemDocument {
  const document = parseDocument(text)
  if (!document.ok) throw new Error(JSON.stringify(document.reason))
  return document.value
}

export const BUNDLED = parsed(promptText('SYSTEM'))

export const SMALL = parsed(`<!-- for people -->
## Security
<!-- roles=plan,synthesize audience=owner,paired,public hard -->
Hard words.

## Personality
<!-- roles=synthesize audience=owner,public soft -->
Soft words.

## Git workflows
<!-- roles=plan audience=owner needs=code hard -->
Hard git.
<!-- roles=plan audience=owner needs=code soft -->
Soft git.

## User profile
<!-- roles=plan,synthesize audience=owner,public soft -->
{{TOOL_DEFINITIONS}}
{{RULES}}
{{USER_PROFILE}}
`)

export function request(changes: Partial<DocumentRequest> = {}): DocumentRequest {
  return { role: 'synthesize', audience: 'owner', needs: ['act'], variables: {}, ...changes }
}

export function build(
  changes: Partial<DocumentRequest> = {},
  files: Partial<OwnersFiles> = {},
  bundled = SMALL,
): BuiltDocument {
  return buildDocument({ bundled, files: { ...NO_FILES, ...files } }, request(changes))
}
