/* Images as PGM and PPM files and comparisons of arrays, by the names of NVIDIA's samples. */
#ifndef COMMON_HELPER_IMAGE_H_
#define COMMON_HELPER_IMAGE_H_

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include "helper_string.h"

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN_EPSILON_ERROR
#define MIN_EPSILON_ERROR 1e-3f
#endif

/* The next number of a header, behind spaces and comments; 0 where there is none. */
inline unsigned hpc_header_number(FILE *file)
{
    int c = fgetc(file);
    while (isspace(c) || c == '#') {
        while (c == '#' && (c = fgetc(file)) != EOF)
            if (c != '\n')
                c = '#';
        c = fgetc(file);
    }
    unsigned n = 0;
    for (; isdigit(c) && n < 1u << 24; c = fgetc(file))
        n = 10 * n + (unsigned)(c - '0');
    return n;
}

/* Bytes of a P5 (one channel) or P6 file (three). */
inline bool hpc_load(const char *name, std::vector<unsigned char> &bytes, unsigned *w, unsigned *h,
                     unsigned *channels)
{
    FILE *file = name ? fopen(name, "rb") : NULL;
    if (!file) {
        fprintf(stderr, "%s: no such file\n", name ? name : "an image");
        return false;
    }
    const bool letter = fgetc(file) == 'P';
    const int form = fgetc(file);
    *w = hpc_header_number(file);
    *h = hpc_header_number(file);
    const unsigned most = hpc_header_number(file);
    *channels = form == '6' ? 3 : 1;
    bool ok = letter && (form == '5' || form == '6') && *w && *h && most && most < 256;
    if (ok) {
        bytes.resize((size_t)*w * *h * *channels);
        ok = fread(bytes.data(), 1, bytes.size(), file) == bytes.size();
    }
    fclose(file);
    if (!ok)
        fprintf(stderr, "%s: no whole PGM or PPM of bytes\n", name);
    return ok;
}

inline bool hpc_save(const char *name, const unsigned char *bytes, unsigned w, unsigned h,
                     unsigned channels)
{
    FILE *file = fopen(name, "wb");
    if (!file)
        return false;
    fprintf(file, "P%c\n%u %u\n255\n", channels == 3 ? '6' : '5', w, h);
    const size_t n = (size_t)w * h * channels;
    const bool ok = fwrite(bytes, 1, n, file) == n;
    return fclose(file) == 0 && ok;
}

inline unsigned char hpc_to_byte(unsigned char x)
{
    return x;
}
inline unsigned char hpc_to_byte(float x)
{
    return (unsigned char)(x * 255);
}
inline void hpc_from_byte(unsigned char byte, unsigned char *x)
{
    *x = byte;
}
inline void hpc_from_byte(unsigned char byte, float *x)
{
    *x = (float)byte / 255;
}

/* One channel; memory is malloc's where *data is NULL. */
template <class T> bool sdkLoadPGM(const char *name, T **data, unsigned *w, unsigned *h)
{
    std::vector<unsigned char> bytes;
    unsigned channels = 0;
    if (!hpc_load(name, bytes, w, h, &channels) || channels != 1)
        return false;
    if (!*data)
        *data = (T *)malloc(bytes.size() * sizeof(T));
    for (size_t i = 0; i < bytes.size(); i++)
        hpc_from_byte(bytes[i], &(*data)[i]);
    return true;
}

template <class T> bool sdkSavePGM(const char *name, T *data, unsigned w, unsigned h)
{
    std::vector<unsigned char> bytes((size_t)w * h);
    for (size_t i = 0; i < bytes.size(); i++)
        bytes[i] = hpc_to_byte(data[i]);
    return hpc_save(name, bytes.data(), w, h, 1);
}

/* Three channels to four, the last of them 0. */
template <class T> bool sdkLoadPPM4(const char *name, T **data, unsigned *w, unsigned *h)
{
    std::vector<unsigned char> bytes;
    unsigned channels = 0;
    if (!hpc_load(name, bytes, w, h, &channels) || channels != 3)
        return false;
    const size_t n = (size_t)*w * *h;
    if (!*data)
        *data = (T *)malloc(4 * n * sizeof(T));
    for (size_t i = 0; i < 4 * n; i++)
        hpc_from_byte(i % 4 < 3 ? bytes[i / 4 * 3 + i % 4] : (unsigned char)0, &(*data)[i]);
    return true;
}
#define sdkLoadPPM4ub sdkLoadPPM4<unsigned char>

inline bool sdkSavePPM4ub(const char *name, unsigned char *data, unsigned w, unsigned h)
{
    std::vector<unsigned char> bytes((size_t)w * h * 3);
    for (size_t i = 0; i < bytes.size(); i++)
        bytes[i] = data[i / 3 * 4 + i % 3];
    return hpc_save(name, bytes.data(), w, h, 3);
}

/* Whether less than a share `threshold` of the elements differ by epsilon or more; of threshold 0,
 * whether none does. */
template <class T, class S>
bool compareData(const T *reference, const T *data, unsigned n, const S epsilon, float threshold)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; i++) {
        const double apart = fabs((double)reference[i] - (double)data[i]);
        wrong += !(apart < (double)epsilon || apart == 0);
    }
    if (wrong > 0)
        printf("%u of %u elements differ\n", wrong, n);
    return threshold == 0 ? wrong == 0 : (float)wrong < (float)n * threshold;
}

/* Whether the difference's length is below epsilon times the reference's. */
inline bool compareL2fe(const float *reference, const float *data, unsigned n, float epsilon)
{
    double error = 0, length = 0;
    for (unsigned i = 0; i < n; i++) {
        const double apart = (double)reference[i] - (double)data[i];
        error += apart * apart;
        length += (double)reference[i] * (double)reference[i];
    }
    return length > 1e-14 && sqrt(error / length) < (double)epsilon;
}
#define sdkCompareL2fe compareL2fe

inline bool sdkDumpBin(void *data, unsigned bytes, const char *name)
{
    FILE *file = fopen(name, "wb");
    const bool ok = file && fwrite(data, 1, bytes, file) == bytes;
    return file && fclose(file) == 0 && ok;
}
#endif
