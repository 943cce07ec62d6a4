/**
 * Instructions for getting a Notion token: pages and fields by their names there (L-12; written from Notion's public
 * documentation; not checked against its pages). Data only. Read through manifest.ts.
 */
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'

export const NOTION_CONNECT: ConnectSpec = Object.freeze({
  title: 'Notion',
  where:
    'Make an internal integration at https://www.notion.so/profile/integrations, give it the pages that I may see, and give me its secret; it begins with ntn_.',
  shape: 'ntn_[A-Za-z0-9]{30,100}|secret_[A-Za-z0-9]{30,100}',
  steps: [
    '1. https://www.notion.so/profile/integrations: "New integration", any name, your workspace, type "Internal".',
    '2. Its "Capabilities": "Read content"; "Insert content" and "Update content", if I shall write; "Read comments" and "Insert comments", if I shall read and write those. "No user information" is enough.',
    '3. Its tab "Access": choose the pages and databases that I may see. A page brings what lies under it. Without this step I see nothing.',
    '   The same from a page: its menu (•••), "Connections", the name of the integration.',
    '4. "Internal integration secret": "Show", "Copy". It begins with ntn_: paste it here.',
  ],
  says: 'search notion for roof',
})
