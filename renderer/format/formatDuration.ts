export { formatDuration } from '../../src-core/tools/formatDuration.ts';
