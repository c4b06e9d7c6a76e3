/**
 * `node electron/packaging/checkUpdateFiles.ts FOLDER`: compares the packages that every `latest*.yml` lists with the
 * packages in the same folder, by the names under which they are released. The exit code is 0 if everything matches.
 */
import { load } from 'js-yaml';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of `latest*.yml` that electron-updater reads. */
interface UpdateFile {
  version: string;
  files: { url: string; sha512: string; size: number }[];
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('Which folder? node electron/packaging/checkUpdateFiles.ts FOLDER');

const names = readdirSync(folder);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const problems = names
  .filter((name) => /\.(AppImage|deb|exe|dmg|zip|blockmap)$/.test(name) && !/^[\w.-]+$/.test(name))
  .map((name) => `GitHub would rename ${name}`);

const updateFiles = names.filter((name) => /^latest.*\.yml$/.test(name));
for (const name of updateFiles) {
  const update = load(readFileSync(join(folder, name), 'utf8')) as UpdateFile;
  if (update.version !== version) problems.push(`${name} is of version ${update.version}, package.json of ${version}`);
  if (update.files.length === 0) problems.push(`${name} names no package`);
  for (const { url, sha512, size } of update.files) {
    const path = join(folder, url);
    if (!existsSync(path)) {
      problems.push(`${name} names ${url}, which is not there`);
      continue;
    }
    const bytes = readFileSync(path);
    if (bytes.length !== size) problems.push(`${url} has ${bytes.length} bytes; ${name} says ${size}`);
    if (createHash('sha512').update(bytes).digest('base64') !== sha512)
      problems.push(`${url} has another SHA-512 than in ${name}`);
  }
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${updateFiles.length} update file(s) read in ${folder}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
