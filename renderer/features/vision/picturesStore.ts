import { defineStore } from 'pinia';
import { ref } from 'vue';

import type { VisionRequest } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';
import { useNavigation } from '../../window/navigation.ts';
import { useSettings } from '../../window/settingsStore.ts';

/** Maximum number of pictures kept in the window; each has at most a few hundred kB. */
const keptUrls = 40;
/** Types a browser draws without running anything in them; SVG is not among them. */
const drawable = /^image\/(?:png|jpeg|gif|webp|bmp|avif)$/;

/** Pictures that devices sent, newest first, and their questions. */
export const usePictures = defineStore('pictures', () => {
  const connection = injectConnection();
  const { client } = connection;
  const navigation = useNavigation();
  const settings = useSettings();
  /** The question whose answer field takes the focus as soon as it is shown. */
  const wanted = ref<string>();
  const { data: list, loaded } = createResource<VisionRequest[]>({
    connection,
    topics: ['vision'],
    initial: [],
    fetch: () => client.vision.list(),
  });
  const urls = new Map<string, Promise<string | undefined>>();

  const fetchUrl = async (id: string): Promise<string | undefined> => {
    const { mediaType, base64 } = await client.vision.picture({ id });
    const type = mediaType.toLowerCase().split(';')[0]?.trim() ?? '';
    return drawable.test(type) && /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? `data:${type};base64,${base64}` : undefined;
  };

  return {
    list,
    loaded,
    wanted,
    /** Opens the pictures of the device that sent one. */
    show({ id, deviceId = '' }: VisionRequest): void {
      settings.remember('devices.chosen', `device:${deviceId}`);
      settings.remember('devices.tab', 'pictures');
      wanted.value = id;
      navigation.open('devices');
    },
    /** A picture as a `data:` URL; undefined if its type cannot be shown. */
    urlOf(id: string): Promise<string | undefined> {
      const known = urls.get(id);
      if (known) return known;
      const url = fetchUrl(id);
      urls.set(id, url);
      // A failure is not cached, so the next access requests it again.
      url.catch(() => urls.delete(id));
      for (const old of [...urls.keys()].slice(0, -keptUrls)) urls.delete(old);
      return url;
    },
    answer: (id: string, text: string) => client.vision.answer({ id, text }),
    snapshot: (deviceId: string) => client.vision.snapshot({ deviceId }),
    remove: (id: string) => client.vision.remove({ id }),
  };
});
