// Renders images/icon.svg to the PNG that vsce demands: node scripts/render-icon.mjs PATH_TO_CHROMIUM
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

execFileSync(process.argv[2] ?? '/usr/bin/chromium', [
  '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--default-background-color=00000000',
  '--window-size=256,256', `--screenshot=${resolve('images/icon.png')}`, `file://${resolve('images/icon.svg')}`,
]);
